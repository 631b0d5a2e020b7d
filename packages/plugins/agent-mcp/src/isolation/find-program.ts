import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** Searches the directories of PATH for a program and returns its path; `undefined` if it is not found. */
export async function findProgram(name: string, path = process.env['PATH'] ?? ''): Promise<string | undefined> {
  for (const directory of path.split(delimiter)) {
    // An empty or relative entry is resolved against the working directory, where any user may have put a program.
    if (!isAbsolute(directory)) continue;
    const file = join(directory, name);
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}
