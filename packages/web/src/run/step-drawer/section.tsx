import { Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Part of the drawer with a heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      {children}
    </section>
  );
}
