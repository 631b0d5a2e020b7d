import type { ReactNode } from 'react';
import './facts.css';

export type Fact = readonly [label: string, value: ReactNode];

/** Names and values in two columns; facts with the value `undefined` or `null` are omitted. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="cs-facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
