import { expect } from 'chai';
import { replaceMarkedSection, buildConformanceTable } from './conformance-page.js';
import type { CaseResult, Verdict } from './verdict.js';

function buildResults(...verdicts: readonly Verdict[]): CaseResult[] {
  return verdicts.map((verdict, index) => ({ id: `${index}`, group: 'own', tier: 'core', verdict, details: [] }));
}

describe('docs/conformance.md', () => {
  const table = buildConformanceTable({
    traced: buildResults('right', 'right', 'refused', 'wrong'),
    steps: buildResults('right', 'wrong'),
    constraints: buildResults('right', 'refused', 'wrong'),
  });

  it('should list the score next to the scores of other engines', () => {
    const [head, , core, rest, , , steps, constraints] = table.split('\n');
    expect(head).to.equal(
      '|  | cases | **Countersign** | Camunda 7.23 | Flowable 7.1 | Zeebe 8.8 | SpiffWorkflow 3.2 | bpmn-elements 17.3 |',
    );
    expect(core).to.match(/^\| core \| 4 \| \*\*2\*\* \| 98 \|/);
    expect(rest).to.include('| **1 / 1** | 0 / 7 |');
    expect(steps).to.include('| 2 | **1** | 47 |');
    expect(constraints).to.include('| 3 | **2** |');
  });

  it('should replace the table between the marker comments on each write', () => {
    // given
    const page =
      'before\n<!-- conformance: written by `npm run conformance -- --write` -->\nold\n<!-- /conformance -->\nafter\n';

    // when
    const updatedPage = replaceMarkedSection(page, 'new');

    // then
    expect(updatedPage).to.equal(page.replace('old', '\nnew\n'));
    expect(replaceMarkedSection(updatedPage, 'new')).to.equal(updatedPage);
    expect(() => replaceMarkedSection('no marker comments', 'new')).to.throw('lacks the marker comments');
  });
});
