import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { InexactNumberError, isJsonObject, parseExactJson, StartupError } from '@countersign/model';
import { findInexactScalar, INEXACT_SCALAR } from '../../contributions/yaml-numbers.js';
import type { ConfigurationFile } from './layers.js';

/** Reads a configuration file: JSON if its extension is `.json`, otherwise YAML. */
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
  const isJson = extname(path).toLowerCase() === '.json';
  if (isJson) {
    try {
      return parseExactJson(text);
    } catch (error) {
      if (error instanceof InexactNumberError) throw inexact(path, text.slice(0, error.offset).split('\n').length);
      // The error of JSON.parse quotes the file, which may contain secrets. The YAML parser below reports the line.
    }
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: true, lineCounter });
  const [first] = document.errors;
  // Only the first line, because the rest quotes the file, which may contain secrets.
  if (first !== undefined) throw unreadable(path, first.message.split('\n')[0] ?? 'it is not valid YAML');
  if (isJson) throw unreadable(path, 'it is not valid JSON');
  const offset = findInexactScalar(document);
  if (offset !== undefined) throw inexact(path, lineCounter.linePos(offset).line);
  return document.toJS({ maxAliasCount: 100 }) as unknown;
}

/** Returns the error for an inexact number, without the number, which may be a secret without quotation marks. */
function inexact(path: string, line: number): StartupError {
  return unreadable(path, `line ${line}: ${INEXACT_SCALAR.slice(0, -1)}`);
}

function unreadable(path: string, reason: string, cause?: unknown): StartupError {
  return new StartupError(
    'configuration_unreadable',
    `The configuration file ${path} cannot be read: ${reason}.`,
    { path },
    { cause },
  );
}
