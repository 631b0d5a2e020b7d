import { Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

/** A titled section of the decision view. */
export function DecisionPart({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className="cs-decision-part" aria-labelledby={id}>
      <Title order={3} size="h5" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}
