import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PolicyInvalidError } from './policy-issue.js';

/** Texts of `*.cedar` and one `*.cedarschema`, by file name. */
export type PolicyFiles = Readonly<Record<string, string>>;

const SHIPPED_DIRECTORY = fileURLToPath(new URL('../policies', import.meta.url));
const SHIPPED_POLICY_ID = 'countersign';
const SCHEMA_FILE = 'countersign.cedarschema';
const MAX_FILES = 500;
const MAX_BYTES = 2 * 1024 * 1024;

export function isPolicyFile(name: string): boolean {
  return name.endsWith('.cedar');
}

export function isSchemaFile(name: string): boolean {
  return name.endsWith('.cedarschema');
}

/**
 * Reads the policies of a directory; without one, those shipped with the server.
 *
 * @throws {PolicyInvalidError} if the files are unreadable
 */
export async function readPolicyFiles(
  directory: string | undefined,
): Promise<{ readonly id: string; readonly files: PolicyFiles }> {
  const path = directory ?? SHIPPED_DIRECTORY;
  return { id: directory === undefined ? SHIPPED_POLICY_ID : basename(path), files: await readDirectory(path) };
}

/** @throws {PolicyInvalidError} if there are too many files or they are too large */
export function assertSize(files: PolicyFiles): void {
  const names = Object.keys(files);
  const bytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const [file = ''] = names;
  if (names.length > MAX_FILES)
    throw new PolicyInvalidError([
      { file, line: null, column: null, message: `there are more than ${MAX_FILES} files` },
    ]);
  if (bytes > MAX_BYTES)
    throw new PolicyInvalidError([
      { file, line: null, column: null, message: `all files together are larger than ${MAX_BYTES / 1024 / 1024} MiB` },
    ]);
}

/** Returns the server's schema, used if a directory has none. */
export async function readServerSchema(): Promise<string> {
  return readFile(join(SHIPPED_DIRECTORY, SCHEMA_FILE), 'utf8');
}

export function addDefaultSchema(files: PolicyFiles, serverSchema: string): PolicyFiles {
  return Object.keys(files).some(isSchemaFile) ? files : { ...files, [SCHEMA_FILE]: serverSchema };
}

async function readDirectory(path: string): Promise<PolicyFiles> {
  try {
    const names = (await readdir(path)).filter((name) => isPolicyFile(name) || isSchemaFile(name)).sort();
    const files: Record<string, string> = {};
    let bytes = 0;
    for (const name of names) {
      bytes += (await stat(join(path, name))).size;
      if (bytes > MAX_BYTES) break;
      files[name] = await readFile(join(path, name), 'utf8');
    }
    if (bytes > MAX_BYTES)
      throw new PolicyInvalidError([
        { file: path, line: null, column: null, message: `its files are larger than ${MAX_BYTES / 1024 / 1024} MiB` },
      ]);
    return files;
  } catch (cause) {
    if (cause instanceof PolicyInvalidError) throw cause;
    throw new PolicyInvalidError([
      {
        file: path,
        line: null,
        column: null,
        message: `the directory cannot be read (${cause instanceof Error ? cause.message : String(cause)}); check Policies:Directory`,
      },
    ]);
  }
}
