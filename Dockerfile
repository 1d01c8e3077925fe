# The grader and its sandbox, for instructors. How to run it: docs/instructors.md, "In a container".
FROM python:3.11-slim

# Debian keeps no older versions to pin.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap make \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 1000 grader \
    && install -d -o grader -g grader /opt/transformer \
    && install -d -m 1777 /class

USER 1000
WORKDIR /opt/transformer
COPY --chown=grader . .
# Without what only the tests need. Any user may run it, so that what it writes belongs to them.
RUN make CPU=1 PIP_FLAGS=--no-cache-dir PROJECT='--no-build-isolation -e . -e ./course' .venv/.installed

ENV PATH=/opt/transformer/.venv/bin:$PATH
ENV HOME=/tmp
WORKDIR /class
ENTRYPOINT ["autograder"]
CMD ["--help"]
