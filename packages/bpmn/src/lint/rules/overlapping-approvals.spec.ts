import { expect } from 'chai';
import { element, userTask } from '../../models.spec.support.js';
import { drawn, messagesOf, saidBy } from '../lint.spec.support.js';

const RULE = 'overlapping-approvals';
const PARALLEL = ['start > p1', 'p1 > askA', 'p1 > askB', 'askA > p2', 'askB > p2', 'p2 > e'];

const mapping = (...lines: string[]): string => `<zeebe:ioMapping>${lines.join('')}</zeebe:ioMapping>`;
const input = (source: string, target: string): string => `<zeebe:input source="${source}" target="${target}"/>`;
const output = (source: string, target: string): string => `<zeebe:output source="${source}" target="${target}"/>`;
const named = (id: string, extra = ''): string => userTask(id, { 'approval.resultVariable': `by${id}` }, extra);
const said = (a: string, b: string, arrows: readonly string[] = PARALLEL): Promise<string[]> =>
  saidBy(RULE, drawn(arrows, a + b, ['askA', 'askB']));

describe('Lint: overlapping-approvals', () => {
  it('should report an approval that reads the approval decision of a parallel approval', async () => {
    const reading = named('askA', mapping(input('=byaskB.decision', 'other')));

    expect(await said(reading, named('askB'))).to.deep.equal(['warning askA']);
    expect((await messagesOf(RULE, drawn(PARALLEL, reading + named('askB'), ['askA', 'askB'])))[0]).to.contain(
      '"byaskB", which the parallel approval "askB" writes',
    );
  });

  it('should report an approval that reads a variable written by an output mapping of a parallel approval', async () => {
    const writing = named('askB', mapping(output('=byaskB.comment', 'note')));

    expect(await said(named('askA', mapping(input('=note', 'note'))), writing)).to.deep.equal(['warning askA']);
    // but not a variable that an earlier mapping of the same approval writes
    const own = named('askA', mapping(input('=1', 'note'), input('=note', 'other')));
    expect(await said(own, writing)).to.deep.equal([]);
    // without a mapping, only if an earlier step may have written the variable
    expect(await said(named('askA'), writing)).to.deep.equal([]);
    const before = element(
      'serviceTask',
      'prepare',
      '<zeebe:taskDefinition type="x"/>' + mapping(output('=1', 'note')),
    );
    const arrows = ['start > prepare', 'prepare > p1', ...PARALLEL.slice(1)];
    expect(
      await saidBy(RULE, drawn(arrows, before + named('askA') + writing, ['askA', 'askB', 'prepare'])),
    ).to.deep.equal(['warning askA']);
  });

  it('should report nothing for approvals without mappings or approvals that are never pending together', async () => {
    expect(await said(named('askA'), named('askB'))).to.deep.equal([]);
    expect(await said(userTask('askA'), userTask('askB'))).to.deep.equal([]);
    const reading = named('askA', mapping(input('=byaskB.decision', 'other')));
    const inLine = ['start > askB', 'askB > askA', 'askA > e'];
    expect(await said(reading, named('askB'), inLine)).to.deep.equal([]);
    const either = ['start > x1', 'x1 > askA: =v', 'x1 > askB', 'askA > e1', 'askB > e2'];
    expect(await said(reading, named('askB'), either)).to.deep.equal([]);
  });
});
