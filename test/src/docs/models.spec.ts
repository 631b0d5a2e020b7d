import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { APIS } from '../models/compatibility/apis/index.js';

const page = new URL('../../../docs/models.md', import.meta.url);

/** Cells of the table in a section, row by row, without its head. */
async function rowsOf(section: string): Promise<readonly (readonly string[])[]> {
  const [, rest = ''] = (await readFile(page, 'utf8')).split(`\n## ${section}\n`);
  const [text = ''] = rest.split('\n## ');
  return text
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

describe('docs/models.md', () => {
  it('should list the APIs that were tried, in the order of the suite', async () => {
    expect((await rowsOf('What was tried')).map(([name]) => name)).to.deep.equal(APIS.map(({ name }) => name));
  });

  it('should list for each API a loop that completes and failures that were tried', async () => {
    for (const [name, loop, ...rest] of await rowsOf('What was tried')) {
      expect(loop, name).to.equal('completed');
      expect(rest, name).to.have.length(3).and.not.to.include('');
    }
    for (const { name, failures } of APIS) expect(failures, name).not.to.have.length(0);
  });
});
