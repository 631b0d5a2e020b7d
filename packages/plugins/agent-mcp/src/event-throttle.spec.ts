import { expect } from 'chai';
import { EventThrottle } from './event-throttle.js';

describe('EventThrottle', () => {
  const createThrottle = () => {
    const clock = { now: 5_000, waited: 0 };
    const throttle = new EventThrottle(
      () => clock.now,
      async (milliseconds) => {
        clock.waited += milliseconds;
        clock.now += milliseconds;
      },
    );
    return { clock, throttle };
  };

  it('should let a burst of events through, and delay later events to the permitted rate', async () => {
    const { clock, throttle } = createThrottle();

    for (let event = 0; event < 1_000; event += 1) await throttle.take(1);
    expect(clock.waited).to.equal(0);
    for (let event = 0; event < 2_000; event += 1) await throttle.take(1);
    expect(clock.waited).to.be.within(1_980, 2_000);
  });

  it('should delay events whose bytes exceed the permitted rate', async () => {
    const { clock, throttle } = createThrottle();

    for (let event = 0; event < 16; event += 1) await throttle.take(4_194_304);

    expect(clock.waited).to.be.within(6_900, 7_000);
  });

  it('should let another burst through after a pause', async () => {
    const { clock, throttle } = createThrottle();
    for (let event = 0; event < 1_000; event += 1) await throttle.take(1);
    clock.now += 1_000;

    for (let event = 0; event < 1_000; event += 1) await throttle.take(1);

    expect(clock.waited).to.equal(0);
  });
});
