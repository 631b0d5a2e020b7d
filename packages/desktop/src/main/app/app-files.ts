import { readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { APP_ORIGIN } from '../../common/schemes.js';

export interface AppFile {
  readonly contentType: string;
  readonly content: Buffer;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.ttf': 'font/ttf',
};

/**
 * The window's files by URL. URLs are looked up in a list that is built once from the packaged files. They are never
 * converted to paths, so no request can read a file outside the directory.
 */
export class AppFiles {
  private readonly paths = new Map<string, string>();
  private readonly cache = new Map<string, AppFile>();

  constructor(directory: string) {
    for (const path of listFiles(directory)) {
      if (CONTENT_TYPES[extname(path)] !== undefined)
        this.paths.set(`/${relative(directory, path).split(sep).join('/')}`, path);
    }
  }

  /** @param url as requested by the window */
  find(url: string): AppFile | undefined {
    if (!url.startsWith(`${APP_ORIGIN}/`)) return undefined;
    const key = url.slice(APP_ORIGIN.length).replace(/[?#].*$/, '');
    const path = this.paths.get(key);
    if (path === undefined) return undefined;
    const file = this.cache.get(key) ?? {
      contentType: CONTENT_TYPES[extname(path)] ?? '',
      content: readFileSync(path),
    };
    this.cache.set(key, file);
    return file;
  }
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}
