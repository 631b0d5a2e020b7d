/**
 * Returns the path in a `---` or `+++` line of a patch, without the prefix that git adds.
 *
 * @returns `undefined` for `/dev/null`
 */
export function readPatchPath(line: string): string | undefined {
  const path = unquote(line.slice(4).replace(/(?:\t.*)?\r?$/, ''));
  return path === '/dev/null' ? undefined : path.replace(/^[ab]\//, '');
}

/** Returns the path in a line such as `rename to PATH`; `undefined` for other lines. */
export function readRenamedPath(line: string): string | undefined {
  const path = /^(?:rename|copy) to (.*?)\r?$/.exec(line)?.[1];
  return path === undefined ? undefined : unquote(path);
}

/**
 * Returns the path in a line such as `diff --git a/PATH b/PATH`. If the paths differ, returns both, because spaces make it
 * impossible to distinguish them; other lines then name the file.
 */
export function readGitPath(line: string): string {
  const paths = line.slice('diff --git '.length).replace(/\r$/, '');
  const quoted = /^"a\/(.*)" "b\/(.*)"$/.exec(paths);
  if (quoted !== null && quoted[1] === quoted[2]) return unquote(`"${quoted[1] ?? ''}"`);
  const middle = (paths.length - 1) / 2;
  const [before, after] = [paths.slice(0, middle), paths.slice(middle + 1)];
  return before.startsWith('a/') && after.startsWith('b/') && before.slice(2) === after.slice(2)
    ? after.slice(2)
    : paths;
}

/** Returns the path in the first line of the combined diff of a merge: `diff --cc PATH` or `diff --combined PATH`. */
export function readMergedPath(line: string): string {
  return unquote(line.replace(/^diff --(?:cc|combined) /, '').replace(/\r$/, ''));
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Decodes a path that git quotes: its bytes beyond ASCII are octal escapes, such as `"\303\244.txt"`. */
function unquote(path: string): string {
  const quoted = /^"(.*)"$/s.exec(path)?.[1];
  if (quoted === undefined) return path;
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of quoted.matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (escaped !== undefined) bytes.push(ESCAPES[escaped] ?? escaped.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(plain));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
