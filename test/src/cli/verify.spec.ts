import type { AuditTrail, EvidencePack } from '@countersign/contract';
import { approvalModel, createTestHost } from '@countersign/testing';
import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './cli.spec.support.js';

describe('countersign verify', function () {
  this.timeout(60_000);

  let cwd: string;
  let pack: EvidencePack;
  let trail: AuditTrail;

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'countersign-verify-'));
    const countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('simple'));
    const viewer = await countersign.client('viewer', 'vera');
    const { runId } = await viewer.startRun({ body: { workflowId: 'simple' } });
    pack = await viewer.getEvidencePack({ runId });
    trail = await (await countersign.client('admin', 'root')).exportAuditTrail();
    await countersign.close();
  });

  after(() => rm(cwd, { recursive: true, force: true }));

  async function verify(content: string, ...options: string[]) {
    await writeFile(join(cwd, 'pack.json'), content);
    return run(['verify', 'pack.json', ...options], { cwd });
  }

  it('should exit with code 0 for a valid evidence pack, without a server', async () => {
    expect(await verify(JSON.stringify(pack))).to.deep.equal({ code: 0, stdout: 'pack.json is valid.\n', stderr: '' });
    const { stdout } = await verify(JSON.stringify(pack), '--json');
    expect(JSON.parse(stdout)).to.deep.equal({ problems: [], notCovered: [] });
  });

  it('should exit with code 1 if the pack contains a number that a double cannot represent exactly', async () => {
    // given
    const changedPack = JSON.stringify(pack).replace(/"events":\[/, '"events":[9007199254740993,');

    // when
    const { code, stderr } = await verify(changedPack);

    // then
    expect(code).to.equal(1);
    expect(stderr).to.contain('number_not_exact').and.contain('9007199254740993');
  });

  it('should accept large integers stored by earlier versions', async () => {
    // given
    const olderPack = JSON.stringify(pack).replace(/"events":\[/, '"events":[8202522731445526000,');

    // when
    const { stderr } = await verify(olderPack);

    // then
    expect(stderr).not.to.contain('number_not_exact');
  });

  it('should verify an exported audit trail', async () => {
    expect(await verify(JSON.stringify(trail))).to.include({ code: 0, stdout: 'pack.json is valid.\n' });
    expect(await verify(JSON.stringify({ ...trail, auditEvents: [] })))
      .to.include({ code: 1 })
      .and.to.have.property('stdout')
      .that.includes('head_differs');
  });

  it('should exit with code 1 for an invalid pack, print the location, and print no terminal control characters', async () => {
    const { code, stdout } = await verify(
      JSON.stringify({
        ...pack,
        run: {
          ...pack.run,
          startedBy: 'innocent',
          variables: { '\u001b[2J': { decision: 'approve', decidedBy: 'x', decidedAt: 'x', round: 1 } },
        },
      }),
    );

    expect(code).to.equal(1);
    expect(stdout)
      .to.include('statement_differs  /run/startedBy')
      .and.to.include('pack.json is not valid: 2 problems.')
      .and.not.include('\u001b');
  });

  it('should exit with code 2 if the file is missing or not JSON', async () => {
    expect(await run(['verify', 'missing.json'], { cwd }))
      .to.include({ code: 2, stdout: '' })
      .and.to.have.property('stderr')
      .that.includes('ENOENT');
    expect(await verify('{')).to.include({ code: 2, stdout: '' });
  });
});
