import { expect } from 'chai';
import { findExampleInputs } from './find-example-inputs.js';

describe('first steps: example inputs', () => {
  it('should be the first example of the input schema', () => {
    expect(findExampleInputs({ type: 'object', examples: [{ a: 1 }, { a: 2 }] })).to.deep.equal({ a: 1 });
  });

  it('should be missing if there is no example that can be the inputs of a run', () => {
    for (const schema of [
      null,
      {},
      { examples: [] },
      { examples: { a: 1 } },
      { examples: ['text'] },
      { examples: [[]] },
    ])
      expect(findExampleInputs(schema), JSON.stringify(schema)).to.be.undefined;
  });
});
