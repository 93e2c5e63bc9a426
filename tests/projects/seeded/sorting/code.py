"""Sorting and searching."""


def binary_search(items, target):
    """The place of the target in sorted items, -1 if it is not there."""
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == target:
            return middle
        if items[middle] < target:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def insertion_sort(items):
    """A sorted list of the items."""
    result = list(items)
    for i in range(1, len(result)):
        value = result[i]
        j = i - 1
        while j >= 0 and result[j] > value:
            result[j + 1] = result[j]
            j -= 1
        result[j + 1] = value
    return result


def quick_sort(items):
    """A sorted list of the items."""
    if len(items) <= 1:
        return list(items)
    pivot = items[0]
    smaller = [x for x in items[1:] if x < pivot]
    larger = [x for x in items[1:] if x >= pivot]
    return quick_sort(smaller) + [pivot] + quick_sort(larger)


def merge_sorted(a, b):
    """One sorted list of two."""
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out.extend(a[i:])
    out.extend(b[j:])
    return out


def rotate(items, k):
    """The items moved k places to the right."""
    if not items:
        return []
    k %= len(items)
    return items[-k:] + items[:-k] if k else list(items)


def second_largest(items):
    """The second largest of different values, None if there is none."""
    distinct = sorted(set(items))
    if len(distinct) < 2:
        return None
    return distinct[-2]
