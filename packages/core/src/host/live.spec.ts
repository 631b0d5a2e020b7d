import { expect } from 'chai';
import { LiveValue } from './live.js';

describe('LiveValue', () => {
  it('should return the latest value and notify listeners until they unsubscribe', () => {
    // given
    const live = new LiveValue(1);
    const receivedValues: number[] = [];
    const unsubscribe = live.onChange((value) => receivedValues.push(value));

    // when
    live.change(2);
    unsubscribe();
    live.change(3);

    // then
    expect(live.current).to.equal(3);
    expect(receivedValues).to.eql([2]);
  });
});
