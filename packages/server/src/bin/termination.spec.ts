import { expect } from 'chai';
import { listenForTermination } from './termination.js';

describe('listenForTermination', () => {
  it('should abort at the first signal, ignore an immediate repetition and force the exit at the next signal', async () => {
    let time = 0;
    let forcedExitCount = 0;
    const termination = listenForTermination(
      () => {
        forcedExitCount += 1;
      },
      () => time,
    );
    try {
      expect(termination.signal.aborted).to.equal(false);

      process.emit('SIGINT');
      await termination.requested;
      expect(termination.signal.aborted).to.equal(true);

      time = 50; // npm forwards a signal that the terminal has already sent
      process.emit('SIGINT');
      expect(forcedExitCount).to.equal(0);

      time = 5_000;
      process.emit('SIGTERM');
      expect(forcedExitCount).to.equal(1);
    } finally {
      termination.dispose();
    }
  });
});
