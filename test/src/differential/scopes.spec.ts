import { expect } from 'chai';
import { end, eventSubProcess, buildBpmnFile, message, scope, start, subProcess, jobTask } from './model-text.js';
import { groupByScope, mapElementsToScopes } from './scopes.js';

describe('mapElementsToScopes and groupByScope', () => {
  it('should map each element to its scope', () => {
    // given
    const inner = scope(
      [start('inner-start'), jobTask('inner', { inputs: { x: 'if a > 1 then 1 else 2' } })],
      'inner-start > inner',
    );
    const model = buildBpmnFile({
      case: scope(
        [
          start(),
          subProcess('sub', inner),
          eventSubProcess('handler', scope([start('on', message('m')), end('off')], 'on > off')),
          end(),
        ],
        'start > sub',
        'sub > end',
      ),
    });

    // when
    const scopes = mapElementsToScopes(model);

    // then
    const found = ['start', 'sub', 'inner', 'handler', 'off', 'end'].map((id) => [id, scopes.get(id)]);
    expect(found).to.deep.equal([
      ['start', 'case'],
      ['sub', 'case'],
      ['inner', 'sub'],
      ['handler', 'case'],
      ['off', 'handler'],
      ['end', 'case'],
    ]);
  });

  it('should group completed elements by scope and mark loop bodies with []', () => {
    // given
    const scopes = new Map([
      ['a', 'case'],
      ['b', 'sub'],
    ]);

    // when
    const completedByScope = groupByScope(
      [
        { elementId: 'b', isBody: false },
        { elementId: 'a', isBody: false },
        { elementId: 'a', isBody: true },
      ],
      scopes,
    );

    // then
    expect(completedByScope).to.deep.equal({ sub: ['b'], case: ['a', 'a[]'] });
  });
});
