import { expect } from 'chai';
import { APIS } from '../models/compatibility/apis/index.js';
import { readTable } from './table.spec.support.js';

describe('docs/models.md', () => {
  it('should list the tested APIs in the order of the test suite', async () => {
    expect((await readTable('models.md', 'What was tried')).map(([name]) => name)).to.deep.equal(
      APIS.map(({ name }) => name),
    );
  });

  it('should list a completed loop and tested failures for each API', async () => {
    for (const [name, loop, ...rest] of await readTable('models.md', 'What was tried')) {
      expect(loop, name).to.equal('completed');
      expect(rest, name).to.have.length(3).and.not.to.include('');
    }
    for (const { name, failures } of APIS) expect(failures, name).not.to.have.length(0);
  });
});
