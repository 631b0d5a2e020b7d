import { expect } from 'chai';
import { end, eventSub, file, message, scope, start, sub, work } from './model-text.js';
import { byScope, scopesOf } from './scopes.js';

describe('Differential: the scopes of a model', () => {
  it('should map each element to its scope', () => {
    // given
    const inner = scope(
      [start('inner-start'), work('inner', { inputs: { x: 'if a > 1 then 1 else 2' } })],
      'inner-start > inner',
    );
    const model = file({
      case: scope(
        [
          start(),
          sub('sub', inner),
          eventSub('handler', scope([start('on', message('m')), end('off')], 'on > off')),
          end(),
        ],
        'start > sub',
        'sub > end',
      ),
    });

    // when
    const scopes = scopesOf(model);

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
    const sorted = byScope(
      [
        { elementId: 'b', isBody: false },
        { elementId: 'a', isBody: false },
        { elementId: 'a', isBody: true },
      ],
      scopes,
    );

    // then
    expect(sorted).to.deep.equal({ sub: ['b'], case: ['a', 'a[]'] });
  });
});
