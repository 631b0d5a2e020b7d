import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { APPROVAL_JOBS, ApprovalMaker } from '../web/approvals.spec.support.js';

const pagePath = fileURLToPath(new URL('../../../docs/signed-votes.md', import.meta.url));
/** Directory within the repository, so that the packages that the snippet imports are found. */
const SPEC_DIRECTORY = fileURLToPath(new URL('.', import.meta.url));

describe('docs/signed-votes.md', () => {
  let countersign: TestHost;

  before(async () => {
    countersign = await createTestHost({ jobTypes: APPROVAL_JOBS });
  });

  after(() => countersign?.close());

  it('should contain a Node.js snippet that registers a key and casts a signed vote that counts', async () => {
    // given
    const [, ...snippets] = readFileSync(pagePath, 'utf8').split('```js\n');
    expect(snippets).to.have.length(1);
    const maker = await ApprovalMaker.deployTo(countersign, 'signed');
    const approval = await maker.createApproval('signed');
    const directory = mkdtempSync(join(SPEC_DIRECTORY, 'snippet-'));
    const file = join(directory, 'snippet.mjs');
    writeFileSync(file, snippets[0]?.split('```')[0] ?? '');

    // when
    const env = {
      ...process.env,
      TOKEN: await countersign.token('approver', { subject: 'ada' }),
      APPROVAL: approval.approvalId,
      SERVER: countersign.url,
    };
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const outputLines: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => outputLines.push(part.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    rmSync(directory, { recursive: true, force: true });

    // then
    expect(code, outputLines.join('')).to.equal(0);
    const ada = await countersign.client('approver', 'ada');
    const [key] = (await ada.listMySigningKeys()).items;
    const { status, votes } = await ada.getApproval({ approvalId: approval.approvalId });
    expect({ status, votes: votes.map(({ by, keyId }) => ({ by, keyId })), name: key?.name }).to.deep.equal({
      status: 'approved',
      votes: [{ by: 'ada', keyId: key?.keyId }],
      name: 'Laptop',
    });
    expect(votes[0]?.signature?.split('.')).to.have.length(3);
  });
});
