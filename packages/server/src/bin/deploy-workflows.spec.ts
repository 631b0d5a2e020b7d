import { EnginePort, type Host } from '@countersign/core';
import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployWorkflows } from './deploy-workflows.js';

describe('deployWorkflows', () => {
  let directory: string;
  let asked: string[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'countersign-workflows-'));
    asked = [];
  });

  afterEach(async () => {
    await rm(directory, { recursive: true, force: true });
  });

  /** An engine that refuses what contains "bad", and finds another workflow in what contains "two". */
  const host = (): Pick<Host, 'get'> => {
    const engine = {
      deploy: ({ bpmnXml }: { bpmnXml: string }) => {
        asked.push(bpmnXml);
        return bpmnXml.includes('bad')
          ? Promise.reject(refusal())
          : Promise.resolve({
              ...deployed(bpmnXml),
              alsoDeployed: bpmnXml.includes('two') ? [deployed(`${bpmnXml}, the other`)] : [],
            });
      },
    };
    return { get: (token: unknown) => (token === EnginePort ? engine : undefined) as never };
  };
  const deployed = (workflowId: string) => ({ workflow: { workflowId, version: 1 }, created: true });
  const refusal = () => Object.assign(new Error('refused'), { code: 'model_refused', problems: [{ elementId: 'Task_1', message: 'It is bad.', line: 7 }] });
  const put = (name: string, content: string) => writeFile(join(directory, name), content);

  it('should deploy the .bpmn files in the order of their names', async () => {
    await put('2.bpmn', 'second');
    await put('1.BPMN', 'first of two');
    await put('README.md', 'none');

    const deployed = await deployWorkflows(host(), [directory]);

    expect(deployed.map(({ workflowId }) => workflowId)).to.deep.equal(['first of two', 'first of two, the other', 'second']);
  });

  it('should name every refused file with its reasons, after having tried them all', async () => {
    await put('1.bpmn', 'bad one');
    await put('2.bpmn', 'bad two');

    const error = await deployWorkflows(host(), [directory]).catch((reason: unknown) => reason);

    expect(error).to.include({ code: 'model_refused' });
    expect(error).to.have.property('message').that.contains(`${join(directory, '1.bpmn')}\n  - "Task_1": It is bad. (line 7)`).and.contains('2.bpmn');
    expect(asked).to.have.length(2);
  });

  it('should say that a directory is missing', async () => {
    expect(await deployWorkflows(host(), [join(directory, 'no')]).catch((reason: unknown) => reason)).to.include({ code: 'workflows_unreadable' });
  });
});
