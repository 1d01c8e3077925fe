// What a reader cannot see: it leaves the window to the right, and no frame scrolls to it.
() => {
    const width = document.documentElement.clientWidth
    const scrolls = element => element && element !== document.body && (
        ["auto", "scroll"].includes(getComputedStyle(element).overflowX)
            && element.scrollWidth > element.clientWidth
            && element.getBoundingClientRect().right <= width + 1
        || scrolls(element.parentElement))
    const wide = [...document.querySelectorAll("article *")].filter(element =>
        element.checkVisibility() && element.getBoundingClientRect().right > width + 1
            && !scrolls(element.parentElement))
    const page = document.documentElement.scrollWidth > width + 1 ? ["the page scrolls"] : []
    return [...page, ...wide.map(element => element.outerHTML.slice(0, 160))]
}
