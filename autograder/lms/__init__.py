"""All that is known of Canvas, Moodle and others: how they name files, what they give and take."""
