import { readFile } from 'node:fs/promises';

/**
 * Returns the cells of the table in a section of a page, row by row, without the header row.
 *
 * @param page path relative to `docs`
 */
export async function readTable(page: string, section: string): Promise<readonly (readonly string[])[]> {
  const [, afterHeading = ''] = (await readFile(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')).split(
    `\n## ${section}\n`,
  );
  const [sectionText = ''] = afterHeading.split('\n## ');
  return sectionText
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}
