import { expect } from 'chai';
import { parseLinkInputs } from './parse-link-inputs.js';

describe('parseLinkInputs', () => {
  it('should accept a JSON object', () => {
    expect(parseLinkInputs('{"amount":5}')).to.eql({ inputs: { amount: 5 } });
    expect(parseLinkInputs(undefined)).to.eql({});
  });

  it('should state why inputs are ignored', () => {
    for (const parameter of ['[]', 'null', '5', '{'])
      expect(parseLinkInputs(parameter), parameter).to.eql({ error: 'notAnObject' });
    expect(parseLinkInputs('{"amount":9007199254740993}')).to.eql({ error: 'inexact' });
    expect(parseLinkInputs(JSON.stringify({ note: 'a'.repeat(20_000) }))).to.eql({ error: 'tooLong' });
  });
});
