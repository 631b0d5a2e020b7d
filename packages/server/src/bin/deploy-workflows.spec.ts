import { EnginePort, LoggerPort, type Host } from '@countersign/core';
import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deployWorkflows } from './deploy-workflows.js';

describe('deployWorkflows', () => {
  let directory: string;
  let receivedXml: string[];
  let logEntries: object[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-workflows-'));
    receivedXml = [];
    logEntries = [];
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  /**
   * Creates a host whose engine refuses files with "bad", finds a second workflow in files with "two" and warns about
   * files with "odd".
   */
  const createHost = (): Pick<Host, 'get'> => {
    const engine = {
      deploy: ({ bpmnXml }: { bpmnXml: string }) => {
        receivedXml.push(bpmnXml);
        return bpmnXml.includes('bad')
          ? Promise.reject(createRefusal())
          : Promise.resolve({
              ...createDeployedWorkflow(bpmnXml),
              alsoDeployed: bpmnXml.includes('two') ? [createDeployedWorkflow(`${bpmnXml}, the other`)] : [],
              warnings: bpmnXml.includes('odd')
                ? [{ severity: 'warning', rule: 'no-way-out', elementId: 'Task_1', message: 'It is odd.' }]
                : [],
            });
      },
      deployDecisions: ({ dmnXml }: { dmnXml: string }) => {
        receivedXml.push(dmnXml);
        const decisions = [dmnXml, `${dmnXml}, the other`].map((decisionId) => ({ decisionId, version: 4 }));
        return dmnXml.includes('bad')
          ? Promise.reject(createRefusal())
          : Promise.resolve({ decisions, created: false });
      },
    };
    const log = { warn: (fields: object, message: string) => logEntries.push({ ...fields, message }) };
    return {
      get: (token: unknown) => (token === EnginePort ? engine : token === LoggerPort ? log : undefined) as never,
    };
  };
  const createDeployedWorkflow = (workflowId: string) => ({ workflow: { workflowId, version: 1 }, created: true });
  const createRefusal = () =>
    Object.assign(new Error('refused'), {
      code: 'model_refused',
      problems: [{ elementId: 'Task_1', message: 'It is bad.', line: 7 }],
    });
  const writeWorkflowFile = (name: string, content: string) => writeFile(join(directory, name), content);

  it('should deploy the .bpmn files in the order of their names', async () => {
    await writeWorkflowFile('2.bpmn', 'second');
    await writeWorkflowFile('1.BPMN', 'first of two');
    await writeWorkflowFile('README.md', 'none');

    const { workflows } = await deployWorkflows(createHost(), [directory]);

    expect(workflows.map(({ workflowId }) => workflowId)).to.deep.equal([
      'first of two',
      'first of two, the other',
      'second',
    ]);
  });

  it('should deploy the .dmn files of all directories before the .bpmn files', async () => {
    // given
    await writeWorkflowFile('a.bpmn', 'workflow');
    await writeWorkflowFile('z.DMN', 'decision');
    const otherDirectory = await mkdtemp(join(directory, 'other-'));
    await writeFile(join(otherDirectory, 'x.dmn'), 'second decision');

    // when
    const { decisions } = await deployWorkflows(createHost(), [directory, otherDirectory]);

    // then
    expect(receivedXml).to.deep.equal(['decision', 'second decision', 'workflow']);
    expect(decisions.map(({ file, ...decision }) => ({ ...decision, file: basename(file) })).slice(0, 2)).to.deep.equal(
      [
        { file: 'z.DMN', decisionId: 'decision', version: 4, created: false },
        { file: 'z.DMN', decisionId: 'decision, the other', version: 4, created: false },
      ],
    );
  });

  it('should try every file and then report each refused file with its reasons', async () => {
    await writeWorkflowFile('1.bpmn', 'bad one');
    await writeWorkflowFile('2.bpmn', 'bad two');
    await writeWorkflowFile('3.dmn', 'bad three');

    const error = await deployWorkflows(createHost(), [directory]).catch((reason: unknown) => reason);

    expect(error).to.include({ code: 'model_refused' });
    expect(error)
      .to.have.property('message')
      .that.contains(`${join(directory, '1.bpmn')}\n  - "Task_1": It is bad. (line 7)`)
      .and.contains('2.bpmn')
      .and.contains('3.dmn');
    expect(receivedXml).to.have.length(3);
  });

  it('should deploy a file with findings and log the findings', async () => {
    await writeWorkflowFile('1.bpmn', 'odd');

    const { workflows } = await deployWorkflows(createHost(), [directory]);

    expect(workflows).to.have.length(1);
    expect(logEntries).to.deep.equal([
      {
        file: join(directory, '1.bpmn'),
        severity: 'warning',
        rule: 'no-way-out',
        elementId: 'Task_1',
        message: 'It is odd.',
      },
    ]);
  });

  it('should report a missing directory', async () => {
    expect(await deployWorkflows(createHost(), [join(directory, 'no')]).catch((reason: unknown) => reason)).to.include({
      code: 'workflows_unreadable',
    });
  });
});
