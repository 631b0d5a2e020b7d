import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import { InexactNumberError, isJsonObject, parseExactJson, StartupError } from '@countersign/model';
import { findInexactNumber, INEXACT_NUMBER_MESSAGE } from '../../contributions/find-inexact-number.js';
import type { ConfigurationFile } from './configuration-layers.js';

/** Reads a configuration file: JSON if its extension is `.json`, otherwise YAML. */
export async function readConfigurationFile(path: string): Promise<ConfigurationFile> {
  const absolutePath = resolve(path);
  const content = parseText(absolutePath, await readText(absolutePath));
  if (content === null || content === undefined) return { path: absolutePath, content: {} };
  if (!isJsonObject(content)) throw unreadableError(absolutePath, 'it has no keys at its top level');
  return { path: absolutePath, content };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw unreadableError(
      path,
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a directory' : String(code ?? error),
      error,
    );
  }
}

function parseText(path: string, text: string): unknown {
  const isJson = extname(path).toLowerCase() === '.json';
  if (isJson) {
    try {
      return parseExactJson(text);
    } catch (error) {
      if (error instanceof InexactNumberError)
        throw inexactNumberError(path, text.slice(0, error.offset).split('\n').length);
      // The error of JSON.parse quotes the file, which may contain secrets. The YAML parser below reports the line.
    }
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: true, lineCounter });
  const [syntaxError] = document.errors;
  // Only the first line, because the rest quotes the file, which may contain secrets.
  if (syntaxError !== undefined)
    throw unreadableError(path, syntaxError.message.split('\n')[0] ?? 'it is not valid YAML');
  if (isJson) throw unreadableError(path, 'it is not valid JSON');
  const offset = findInexactNumber(document);
  if (offset !== undefined) throw inexactNumberError(path, lineCounter.linePos(offset).line);
  return document.toJS({ maxAliasCount: 100 }) as unknown;
}

/** Returns the error for an inexact number, without the number, which may be a secret without quotation marks. */
function inexactNumberError(path: string, line: number): StartupError {
  return unreadableError(path, `line ${line}: ${INEXACT_NUMBER_MESSAGE.slice(0, -1)}`);
}

function unreadableError(path: string, reason: string, cause?: unknown): StartupError {
  return new StartupError(
    'configuration_unreadable',
    `The configuration file ${path} cannot be read: ${reason}.`,
    { path },
    { cause },
  );
}
