import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { StartupError, isJsonObject, type JsonObject } from '@countersign/model';
import type { ConfigurationFile } from './layers.js';

/**
 * Reads a configuration file, YAML or (by its name) JSON.
 *
 * @throws {StartupError} `configuration_unreadable`
 */
export async function readConfigurationFile(path: string): Promise<ConfigurationFile> {
  const absolute = resolve(path);
  const content = parse(absolute, await read(absolute));
  if (content === null || content === undefined) return { path: absolute, content: {} };
  if (!isJsonObject(content)) throw unreadable(absolute, 'it has no keys at its top level');
  return { path: absolute, content };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw unreadable(
      path,
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a directory' : String(code ?? error),
      error,
    );
  }
}

function parse(path: string, text: string): unknown {
  if (extname(path).toLowerCase() === '.json') {
    try {
      return JSON.parse(text) as JsonObject;
    } catch {
      // The error of JSON.parse quotes the file, which may hold secrets. That of the YAML parser below knows the line.
    }
  }
  const document = parseDocument(text, { prettyErrors: true });
  const [first] = document.errors;
  // Only the first line: the rest quotes the file, which may hold secrets.
  if (first !== undefined) throw unreadable(path, first.message.split('\n')[0] ?? 'it is not valid YAML');
  if (extname(path).toLowerCase() === '.json') throw unreadable(path, 'it is not valid JSON');
  return document.toJS({ maxAliasCount: 100 }) as unknown;
}

function unreadable(path: string, reason: string, cause?: unknown): StartupError {
  return new StartupError(
    'configuration_unreadable',
    `The configuration file ${path} can't be read: ${reason}.`,
    { path },
    { cause },
  );
}
