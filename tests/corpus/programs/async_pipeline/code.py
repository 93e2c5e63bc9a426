"""Workers that hand work on through queues."""

import asyncio
from collections import defaultdict

_END = object()


class StageError(Exception):
    """A stage failed on an item; the error itself is its cause."""

    def __init__(self, stage, item):
        super().__init__(f"{stage} failed on {item!r}")
        self.stage = stage
        self.item = item


class Pipeline:
    """Stages that each item passes one after the other, while other items are in other stages."""

    def __init__(self, room=10):
        self._stages = []
        self._room = room
        self.counts = defaultdict(int)

    def stage(self, name, work):
        """Add a stage: `await work(item)` gives the item for the next one, or None to drop it. Returns the pipeline."""
        if any(name == known for known, _ in self._stages):
            raise ValueError(f"there is a stage {name}")
        self._stages.append((name, work))
        return self

    async def _worker(self, name, work, source, target):
        while (item := await source.get()) is not _END:
            try:
                result = await work(item)
            except Exception as error:
                raise StageError(name, item) from error
            self.counts[name] += 1
            if result is not None:
                await target.put(result)
        await target.put(_END)

    async def run(self, items):
        """What comes out of the last stage, in the order of the items. StageError ends all stages."""
        queues = [asyncio.Queue(self._room) for _ in range(len(self._stages) + 1)]
        results = []

        async def feed():
            for item in items:
                await queues[0].put(item)
            await queues[0].put(_END)

        async def collect():
            while (item := await queues[-1].get()) is not _END:
                results.append(item)

        workers = [
            asyncio.create_task(self._worker(name, work, queues[place], queues[place + 1]))
            for place, (name, work) in enumerate(self._stages)
        ]
        tasks = [asyncio.create_task(feed()), *workers, asyncio.create_task(collect())]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return results
