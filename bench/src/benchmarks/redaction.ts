import { Redactor } from '@countersign/core/plugin';
import type { Benchmark } from '../benchmark.js';
import { SECRETS, TEXTS_TO_REDACT } from '../hostile/texts-to-redact.js';
import { measureMaxEventLoopDelay } from '../measure/measure-max-event-loop-delay.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatRange } from '../measure/table.js';

/** Time to redact the secrets of a server in the result of a tool. */
export const redaction: Benchmark = {
  name: 'redaction',
  database: false,
  async run({ repetitions, progress }) {
    const redactor = new Redactor({ current: SECRETS });
    const prepareStartedAt = performance.now();
    redactor.redactText('');
    const prepareMs = performance.now() - prepareStartedAt;
    const samples = [];
    for (const [text, value] of Object.entries(TEXTS_TO_REDACT)) {
      progress(text);
      const times = Array.from({ length: repetitions + 1 }, () => {
        const startedAt = performance.now();
        redactor.redactJson([value]);
        return performance.now() - startedAt;
      }).slice(1);
      const blockedMs: number[] = [];
      for (let repetition = 0; repetition < repetitions; repetition += 1)
        blockedMs.push(await measureMaxEventLoopDelay(() => redactor.redactJsonTimeSliced([value])));
      samples.push({ text, megabytes: JSON.stringify(value).length / 1e6, times, blockedMs });
    }
    const rows = samples.map(({ text, megabytes, times, blockedMs }) => [
      text,
      formatNumber(megabytes, 2),
      formatNumber(median(times), 1),
      formatRange(times, 1),
      formatNumber(median(blockedMs), 1),
      formatRange(blockedMs, 1),
    ]);
    return {
      tables: [
        {
          title: 'redaction: time per tool result, and the longest event loop block when the redaction is time-sliced',
          columns: ['text', 'MB', 'ms', 'min – max', 'blocked, ms', 'min – max'],
          rows,
        },
      ],
      notes: [
        `${SECRETS.length} secrets; ${repetitions} repetitions after a warm-up, medians. The redactor was prepared in ${formatNumber(prepareMs)} ms.`,
      ],
      figures: { prepareMs, samples },
    };
  },
};
