import { expect } from 'chai';
import { createChildRunBadges } from './create-child-run-badges.js';
import { createStep } from './run-page.spec.support.js';

describe('badges of child runs on the diagram', () => {
  it('should link a call activity to its child run, or to the list of its child runs if there are several', () => {
    const badges = createChildRunBadges('run-1', [
      createStep('start'),
      createStep('call', { calledRunId: 'run-2' }),
      createStep('each', { calledRunId: 'run-3' }),
      createStep('each', { calledRunId: 'run-4' }),
    ]);
    expect(badges.map(({ elementId, linkTo, title }) => [elementId, linkTo, title])).to.deep.equal([
      ['call', '/runs/run-2', 'Open child run'],
      ['each', '/runs/run-1?tab=children', 'Show 2 child runs'],
    ]);
  });
});
