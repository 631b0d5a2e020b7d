import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { findInexactNumber, INEXACT_NUMBER_MESSAGE, type Json, StartupError } from '@countersign/core/plugin';
import { findJsonProblem } from '@countersign/model';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { ScriptSchema, type Script } from './script.js';

const EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/**
 * Reads scripts, keyed by model name.
 *
 * @throws {StartupError} `model_scripts_invalid`, with all problems of all scripts
 */
export async function loadScripts(
  directory: string | undefined,
  file: string | undefined,
): Promise<ReadonlyMap<string, Script>> {
  const problems: string[] = [];
  const files = [
    ...(directory === undefined ? [] : await listScripts(directory, problems)),
    ...(file === undefined ? [] : [file]),
  ];
  const scripts = new Map<string, Script>();
  const pathsByModel = new Map<string, string>();
  for (const path of files) {
    const script = await loadScript(path, problems);
    if (script === undefined) continue;
    const name = script.model ?? basename(path, extname(path));
    const otherPath = pathsByModel.get(name);
    if (otherPath !== undefined)
      problems.push(`${path}: the language model "${name}" already has the script ${otherPath}.`);
    pathsByModel.set(name, path);
    scripts.set(name, script);
  }
  if (problems.length > 0)
    throw new StartupError(
      'model_scripts_invalid',
      `The scripts of language models cannot be used.\n${problems.join('\n')}`,
      {
        problems,
      },
    );
  return scripts;
}

async function listScripts(directory: string, problems: string[]): Promise<readonly string[]> {
  try {
    const names = await readdir(directory);
    return names
      .filter((name) => EXTENSIONS.has(extname(name).toLowerCase()))
      .sort()
      .map((name) => join(directory, name));
  } catch (error) {
    problems.push(`${directory}: the directory cannot be listed (${errorCode(error)}).`);
    return [];
  }
}

async function loadScript(path: string, problems: string[]): Promise<Script | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    problems.push(`${path}: the file cannot be read (${errorCode(error)}).`);
    return undefined;
  }
  // JSON is YAML 1.2.
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: true, lineCounter });
  if (document.errors.length > 0) {
    problems.push(...document.errors.map(({ message }) => `${path}: ${message.split('\n')[0] ?? ''}`));
    return undefined;
  }
  const offset = findInexactNumber(document);
  if (offset !== undefined) {
    problems.push(`${path}:${lineCounter.linePos(offset).line}: ${INEXACT_NUMBER_MESSAGE}`);
    return undefined;
  }
  const parsed = ScriptSchema.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!parsed.success) {
    problems.push(`${path}: ${z.prettifyError(parsed.error).replaceAll('\n', ' ')}`);
    return undefined;
  }
  const problem = findJsonProblem(parsed.data as Json);
  if (problem !== undefined) problems.push(`${path}: ${problem.pointer}: ${problem.message}`);
  return parsed.data;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
