import { expect } from 'chai';
import { element, userTask } from '../../models.spec.support.js';
import { buildModel, findMessages, lintWithRule } from '../lint.spec.support.js';

const RULE = 'overlapping-approvals';
const PARALLEL = ['start > p1', 'p1 > askA', 'p1 > askB', 'askA > p2', 'askB > p2', 'p2 > e'];

const mapping = (...lines: string[]): string => `<zeebe:ioMapping>${lines.join('')}</zeebe:ioMapping>`;
const input = (source: string, target: string): string => `<zeebe:input source="${source}" target="${target}"/>`;
const output = (source: string, target: string): string => `<zeebe:output source="${source}" target="${target}"/>`;
const approvalTask = (id: string, extra = ''): string => userTask(id, { 'approval.resultVariable': `by${id}` }, extra);
const lintTasks = (a: string, b: string, arrows: readonly string[] = PARALLEL): Promise<string[]> =>
  lintWithRule(RULE, buildModel(arrows, a + b, ['askA', 'askB']));

describe('Lint: overlapping-approvals', () => {
  it('should report an approval that reads the approval decision of a parallel approval', async () => {
    const readingTask = approvalTask('askA', mapping(input('=byaskB.decision', 'other')));

    expect(await lintTasks(readingTask, approvalTask('askB'))).to.deep.equal(['warning askA']);
    expect(
      (await findMessages(RULE, buildModel(PARALLEL, readingTask + approvalTask('askB'), ['askA', 'askB'])))[0],
    ).to.contain('"byaskB", which the parallel approval "askB" writes');
  });

  it('should report an approval that reads a variable written by an output mapping of a parallel approval', async () => {
    const writingTask = approvalTask('askB', mapping(output('=byaskB.comment', 'note')));

    expect(await lintTasks(approvalTask('askA', mapping(input('=note', 'note'))), writingTask)).to.deep.equal([
      'warning askA',
    ]);
    // but not a variable that an earlier mapping of the same approval writes
    const readingOwnInput = approvalTask('askA', mapping(input('=1', 'note'), input('=note', 'other')));
    expect(await lintTasks(readingOwnInput, writingTask)).to.deep.equal([]);
    // without a mapping, only if an earlier step may have written the variable
    expect(await lintTasks(approvalTask('askA'), writingTask)).to.deep.equal([]);
    const precedingTask = element(
      'serviceTask',
      'prepare',
      '<zeebe:taskDefinition type="x"/>' + mapping(output('=1', 'note')),
    );
    const arrows = ['start > prepare', 'prepare > p1', ...PARALLEL.slice(1)];
    expect(
      await lintWithRule(
        RULE,
        buildModel(arrows, precedingTask + approvalTask('askA') + writingTask, ['askA', 'askB', 'prepare']),
      ),
    ).to.deep.equal(['warning askA']);
  });

  it('should report nothing for approvals without mappings or approvals that are never pending together', async () => {
    expect(await lintTasks(approvalTask('askA'), approvalTask('askB'))).to.deep.equal([]);
    expect(await lintTasks(userTask('askA'), userTask('askB'))).to.deep.equal([]);
    const readingTask = approvalTask('askA', mapping(input('=byaskB.decision', 'other')));
    const sequentialArrows = ['start > askB', 'askB > askA', 'askA > e'];
    expect(await lintTasks(readingTask, approvalTask('askB'), sequentialArrows)).to.deep.equal([]);
    const exclusiveArrows = ['start > x1', 'x1 > askA: =v', 'x1 > askB', 'askA > e1', 'askB > e2'];
    expect(await lintTasks(readingTask, approvalTask('askB'), exclusiveArrows)).to.deep.equal([]);
  });
});
