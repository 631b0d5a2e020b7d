import { expect } from 'chai';
import { LiveValue } from './live.js';

describe('LiveValue', () => {
  it('should return the latest value and notify listeners until they unsubscribe', () => {
    // given
    const liveValue = new LiveValue(1);
    const receivedValues: number[] = [];
    const unsubscribe = liveValue.onChange((value) => receivedValues.push(value));

    // when
    liveValue.change(2);
    unsubscribe();
    liveValue.change(3);

    // then
    expect(liveValue.current).to.equal(3);
    expect(receivedValues).to.eql([2]);
  });
});
