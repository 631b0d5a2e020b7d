import { expect } from 'chai';
import { whyNoMaterial } from '../conformance/material.js';
import { single } from './case.js';
import { CONFORMANCE_PREFIX } from './cases/conformance.js';
import { CASES } from './cases/index.js';
import { end, scope, start } from './model-text.js';
import { digestOf, RECORDING, recordedResponse } from './recorded.js';

describe('Differential: the recorded responses', () => {
  const asked = single('one', scope([start(), end()], 'start > end'));
  const recording = {
    ...RECORDING,
    responses: { one: { input: digestOf(asked), response: { refused: true } as const } },
  };

  it('should be returned for an unchanged case', () => {
    expect(recordedResponse(asked, recording)).to.deep.equal({ refused: true });
  });

  it('should throw for a case that changed after its recording', () => {
    const steps = [...asked.steps, { advance: 'PT1S' }];
    expect(() => recordedResponse({ ...asked, steps }, recording)).to.throw('not the case any more');
  });

  it('should throw for a case without a recording', () => {
    expect(() => recordedResponse({ ...asked, id: 'two' }, recording)).to.throw('no response');
  });

  it('should exist for every case and for no other case', () => {
    // given
    const isThere = (id: string): boolean => whyNoMaterial() === undefined || !id.startsWith(CONFORMANCE_PREFIX);

    // then
    for (const each of CASES) expect(() => recordedResponse(each), each.id).not.to.throw();
    expect(Object.keys(RECORDING.responses).filter(isThere)).to.have.members(CASES.map(({ id }) => id));
  });
});
