import { Redactor } from '@countersign/core/plugin';
import type { Benchmark } from '../benchmark.js';
import { SECRETS, TEXTS_TO_REDACT } from '../hostile/texts-to-redact.js';
import { heldDuring } from '../measure/held-during.js';
import { median } from '../measure/statistics.js';
import { figure, range } from '../measure/table.js';

/** Time to search the result of a tool for the secrets of a server. */
export const redaction: Benchmark = {
  name: 'redaction',
  database: false,
  async run({ repetitions, progress }) {
    const redactor = new Redactor({ current: SECRETS });
    const begun = performance.now();
    redactor.text('');
    const made = performance.now() - begun;
    const samples = [];
    for (const [text, value] of Object.entries(TEXTS_TO_REDACT)) {
      progress(text);
      const times = Array.from({ length: repetitions + 1 }, () => {
        const began = performance.now();
        redactor.json([value]);
        return performance.now() - began;
      }).slice(1);
      const held: number[] = [];
      for (let repetition = 0; repetition < repetitions; repetition += 1)
        held.push(await heldDuring(() => redactor.jsonInTurns([value])));
      samples.push({ text, megabytes: JSON.stringify(value).length / 1e6, times, held });
    }
    const rows = samples.map(({ text, megabytes, times, held }) => [
      text,
      figure(megabytes, 2),
      figure(median(times), 1),
      range(times, 1),
      figure(median(held), 1),
      range(held, 1),
    ]);
    return {
      tables: [
        {
          title: 'redaction: search of tool results, and the longest block of the event loop when searching in slices',
          columns: ['text', 'MB', 'ms', 'least – most', 'held, ms', 'least – most'],
          rows,
        },
      ],
      notes: [
        `${SECRETS.length} secrets; ${repetitions} repetitions after a warm-up, medians. The search was prepared in ${figure(made)} ms.`,
      ],
      figures: { made, samples },
    };
  },
};
