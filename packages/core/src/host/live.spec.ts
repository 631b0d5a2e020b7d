import { expect } from 'chai';
import { LiveValue } from './live.js';

describe('LiveValue', () => {
  it('should return the latest value and notify listeners until they unsubscribe', () => {
    // given
    const live = new LiveValue(1);
    const heard: number[] = [];
    const end = live.onChange((value) => heard.push(value));

    // when
    live.change(2);
    end();
    live.change(3);

    // then
    expect(live.current).to.equal(3);
    expect(heard).to.eql([2]);
  });
});
