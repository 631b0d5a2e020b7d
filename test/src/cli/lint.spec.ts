import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './cli.spec.support.js';

const EXAMPLES = ['embed-in-koa/workflows/order.bpmn', 'release-approval/workflows/release-approval.bpmn'].map((path) =>
  fileURLToPath(new URL(`../../../examples/${path}`, import.meta.url)),
);

const model = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" id="d" targetNamespace="urn:test">
  <bpmn:process id="ask" isExecutable="true">
    <bpmn:startEvent id="start" />
${content}
    <bpmn:endEvent id="end" />
  </bpmn:process>
</bpmn:definitions>`;
const flow = (from: string, to: string, condition = '') =>
  `    <bpmn:sequenceFlow id="${from}-${to}" sourceRef="${from}" targetRef="${to}">${condition}</bpmn:sequenceFlow>`;
const conditionExpression = (text: string) =>
  `<bpmn:conditionExpression xsi:type="bpmn:tFormalExpression">${text}</bpmn:conditionExpression>`;

const SPLIT_FLOWS = [
  '    <bpmn:manualTask id="work" />',
  '    <bpmn:manualTask id="left" />',
  '    <bpmn:manualTask id="right" />',
  flow('start', 'work'),
  flow('work', 'left'),
  flow('work', 'right'),
  flow('left', 'end'),
  flow('right', 'end'),
].join('\n');
const UNREACHABLE_TASK = [
  '    <bpmn:exclusiveGateway id="either" default="either-right" />',
  '    <bpmn:manualTask id="left" />',
  '    <bpmn:manualTask id="right" />',
  '    <bpmn:parallelGateway id="both" />',
  flow('start', 'either'),
  flow('either', 'left', conditionExpression('=v')),
  flow('either', 'right'),
  flow('left', 'both'),
  flow('right', 'both'),
  flow('both', 'end'),
].join('\n');

describe('countersign lint', function () {
  this.timeout(60_000);

  let cwd: string;

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'countersign-lint-'));
  });

  afterEach(async () => {
    await rm(cwd, { recursive: true, force: true });
  });

  const lint = async (files: Readonly<Record<string, string>>, ...options: string[]) => {
    for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
    return run(['lint', ...Object.keys(files), ...options], { cwd });
  };

  it('should find no errors or warnings in the example workflows', async () => {
    const { code, stdout, stderr } = await run(['lint', ...EXAMPLES], { cwd });

    expect(stdout).to.match(/^0 errors, 0 warnings, \d informational in 2 files\.$/m);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
  });

  it('should print location, severity, rule, element and remedy, and exit with code 1 if there is an error', async () => {
    const { code, stdout } = await lint({ 'dead.bpmn': model(UNREACHABLE_TASK) });

    const [firstFinding, summary] = stdout.split('\n');
    expect(firstFinding).to.match(
      /^dead\.bpmn:8:5 error countersign\/never-joins both This gateway waits forever: .* Merge the flows with an exclusive gateway/,
    );
    expect(summary).to.equal('1 error, 0 warnings, 0 informational in 1 file.');
    expect(code).to.equal(1);
  });

  it('should report every reason for which the engine would refuse a file', async () => {
    // given a BPMN file with two errors, a DMN file that is not DMN, and a file that is not XML
    const invalidModel = model([flow('start', 'nowhere'), '    <bpmn:serviceTask id="lost" />'].join('\n'));

    // when
    const { code, stdout } = await lint({
      'bad.bpmn': invalidModel,
      'bad.dmn': '<definitions/>',
      'broken.bpmn': '<a>',
    });

    // then
    expect(stdout).to.match(/^bad\.bpmn:5:5 error unresolved_reference \S+ /m);
    expect(stdout).to.match(/^bad\.dmn(:\d+)* error not_dmn /m);
    expect(stdout).to.match(/^broken\.bpmn:1 error \S+ /m);
    expect(code).to.equal(1);
  });

  it('should report bpmnlint findings that the engine does not check', async () => {
    const { code, stdout } = await lint({ 'split.bpmn': model(SPLIT_FLOWS) });

    expect(stdout).to.match(/^split\.bpmn:5:5 warning bpmnlint\/no-implicit-split work .* parallel gateway/m);
    expect(code).to.equal(0);
  });

  it('should report a finding once if both bpmnlint and the engine report the problem', async () => {
    const gatewayModel = model(
      [
        '    <bpmn:exclusiveGateway id="plain" gatewayDirection="Diverging" />',
        flow('start', 'plain'),
        flow('plain', 'end'),
      ].join('\n'),
    );

    const { stdout } = await lint({ 'once.bpmn': gatewayModel });

    expect(stdout.split('\n').filter((line) => line.includes(' plain '))).to.have.length(1);
    expect(stdout).to.contain('error gateway_direction plain');
  });

  it('should exit with code 1 if there are more warnings than --max-warnings allows', async () => {
    const files = { 'split.bpmn': model(SPLIT_FLOWS) };

    expect(await lint(files, '--max-warnings', '0')).to.include({ code: 1 });
    expect(await lint(files, '--max-warnings', '1')).to.include({ code: 0 });
  });

  it('should resolve called processes in the other files on the command line', async () => {
    const callingModel =
      model(`    <bpmn:callActivity id="call"><bpmn:extensionElements><zeebe:calledElement processId="called"/></bpmn:extensionElements></bpmn:callActivity>
${flow('start', 'call')}${flow('call', 'end')}`);

    expect((await lint({ 'calling.bpmn': callingModel })).stdout).to.contain(
      ' info countersign/unknown-workflow call ',
    );
    expect(
      (
        await lint({
          'calling.bpmn': callingModel,
          'called.bpmn': model(flow('start', 'end')).replace('"ask"', '"called"'),
        })
      ).stdout,
    ).not.to.contain('unknown-workflow');
  });

  it('should print findings and summary as JSON with --json', async () => {
    const { stdout } = await lint({ 'dead.bpmn': model(UNREACHABLE_TASK) }, '--json');

    const { findings, summary } = JSON.parse(stdout) as { findings: object[]; summary: object };
    expect(findings[0]).to.include({
      file: 'dead.bpmn',
      line: 8,
      column: 5,
      severity: 'error',
      rule: 'countersign/never-joins',
      elementId: 'both',
    });
    expect(summary).to.deep.equal({ files: 1, errors: 1, warnings: 0, infos: 0 });
  });

  it('should exit with code 2 if a file is unreadable or an argument is invalid', async () => {
    const { code, stderr } = await run(['lint', 'missing.bpmn'], { cwd });
    expect(code).to.equal(2);
    expect(stderr).to.match(/^error file_unreadable: missing\.bpmn cannot be read \(ENOENT\)/);

    expect(await run(['lint'], { cwd })).to.include({ code: 2 });
    expect(await run(['lint', 'a.bpmn', '--max-warnings', 'few'], { cwd })).to.include({ code: 2 });
  });
});
