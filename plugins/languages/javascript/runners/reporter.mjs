// For `node --test --test-reporter=THIS`: the start and the end of each test as a line of JSON.
// https://nodejs.org/api/test.html#custom-reporters

const wanted = new Set(['test:start', 'test:pass', 'test:fail', 'test:stderr']);

function reason(error) {
  const cause = error?.cause ?? error;
  if (cause === undefined || cause === null) return {};
  if (typeof cause !== 'object') return { message: String(cause) };
  return { message: String(cause.message ?? cause), exception: String(cause.name ?? ''), stack: String(cause.stack ?? '') };
}

export default async function* lines(source) {
  for await (const { type, data } of source) {
    if (!wanted.has(type)) continue;
    const { name, nesting, file, skip, todo, details } = data;
    yield JSON.stringify({
      type,
      name,
      nesting,
      file,
      skip: skip !== undefined,
      todo: todo !== undefined,
      suite: details?.type === 'suite',
      failure: details?.error?.failureType,
      ms: details?.duration_ms,
      text: type === 'test:stderr' ? data.message : undefined,
      ...reason(details?.error),
    }) + '\n';
  }
}
