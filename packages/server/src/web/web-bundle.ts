import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';

/** A built file of the web UI, with its precompressed forms. */
export interface WebFile {
  readonly content: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/** The built web UI: its page, and its other files by relative path. */
export interface WebBundle {
  readonly page: string;
  readonly files: ReadonlyMap<string, WebFile>;
}

let cachedBundle: WebBundle | undefined;

/**
 * Reads the built web UI of `@countersign/web`, once per process. It has a few megabytes, and reading all files
 * together ensures that two builds are never mixed.
 *
 * @throws {Error} if the web UI was not built
 */
export function loadWebBundle(): WebBundle {
  cachedBundle ??= readBundle(
    join(dirname(createRequire(import.meta.url).resolve('@countersign/web/package.json')), 'bundle'),
  );
  return cachedBundle;
}

function readBundle(directory: string): WebBundle {
  const contents = new Map<string, Buffer>();
  let names: string[];
  try {
    names = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    throw new Error(
      `The web UI is not built: ${directory} is missing. In a checkout, run npm run build; otherwise, reinstall @countersign/web.`,
      { cause: error },
    );
  }
  for (const name of names) contents.set(relative(directory, name).split(sep).join('/'), readFileSync(name));
  const page = contents.get('index.html');
  if (page === undefined) throw new Error(`The web UI in ${directory} has no index.html. Rebuild or reinstall it.`);
  const files = new Map<string, WebFile>();
  for (const [name, content] of contents) {
    if (name === 'index.html' || /\.(br|gz)$/.test(name)) continue;
    files.set(name, { content, br: contents.get(`${name}.br`), gzip: contents.get(`${name}.gz`) });
  }
  return { page: page.toString('utf8'), files };
}
