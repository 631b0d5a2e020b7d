import { Center, Loader, VisuallyHidden } from '@mantine/core';
import { texts } from '../texts/index.js';

/** Loading indicator. */
export function Loading() {
  return (
    <Center p="xl" role="status">
      <Loader />
      <VisuallyHidden>{texts.app.loading}</VisuallyHidden>
    </Center>
  );
}
