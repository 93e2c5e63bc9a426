"""Which pages of a site are reached by links from its front page, and how far they are."""


def links_of(page: str) -> list[str]:
    """The targets of the [text](target) links of a page, each once; what follows a # is left out."""
    targets = []
    for piece in page.split("](")[1:]:
        target = piece.split(")", 1)[0].partition("#")[0]
        if target and target not in targets:
            targets.append(target)
    return targets


def crawl(pages: dict[str, str], front: str, depth: int | None = None) -> dict[str, int]:
    """How many clicks each page that is reached lies from the front page; no page further than `depth`."""
    clicks = {front: 0}
    frontier = [front]
    while frontier and (depth is None or clicks[frontier[0]] < depth):
        following = []
        for name in frontier:
            for target in links_of(pages[name]):
                if target in pages and target not in clicks:
                    clicks[target] = clicks[name] + 1
                    following.append(target)
        frontier = following
    return clicks


def orphans(pages: dict[str, str], front: str) -> list[str]:
    """The pages to which no way leads, sorted."""
    return sorted(pages.keys() - crawl(pages, front).keys())


def broken(pages: dict[str, str]) -> list[tuple[str, str]]:
    """(page, target) for each link to a page that isn't there; links to other sites are no matter."""
    return [
        (name, target)
        for name in sorted(pages)
        for target in links_of(pages[name])
        if target not in pages and "://" not in target
    ]
