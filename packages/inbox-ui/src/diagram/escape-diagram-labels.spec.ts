import { expect } from 'chai';
import { escapeDiagramLabels } from './escape-diagram-labels.js';

describe('escapeDiagramLabels', () => {
  it('should escape invisible characters in names and annotations, and truncate long labels', () => {
    // given
    const elements = {
      task: { name: 'Pay \u202e001' },
      note: { text: 'a\u200bb' },
      group: { value: '\u2800' },
      long: { name: 'x'.repeat(10_000) },
      flow: { id: 'flow' },
      documentation: { $type: 'bpmn:Documentation', text: 'y'.repeat(10_000) },
    };

    // when
    escapeDiagramLabels(elements);

    // then
    expect(elements).to.deep.equal({
      task: { name: 'Pay ⟦U+202E⟧001' },
      note: { text: 'a⟦U+200B⟧b' },
      group: { value: '⟦U+2800⟧' },
      long: { name: `${'x'.repeat(400)} …` },
      flow: { id: 'flow' },
      documentation: { $type: 'bpmn:Documentation', text: 'y'.repeat(10_000) },
    });
  });
});
