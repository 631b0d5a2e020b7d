import { Code, ScrollArea, Stack, Title } from '@mantine/core';
import { texts } from '../texts/index.js';
import type { RunPartProps } from './run-part.js';
import { revealed } from '../ui/revealed.js';

/** What the run was given, and what it holds now. */
export function RunVariables({ run }: RunPartProps) {
  return (
    <ScrollArea h="100%" type="auto" viewportProps={{ tabIndex: 0 }}>
      <Stack gap="md">
        <section>
          <Title order={2} size="h5" mb="xs">
            {texts.run.variables}
          </Title>
          <Code block>{revealed(JSON.stringify(run.variables, null, 2))}</Code>
        </section>
        <section>
          <Title order={2} size="h5" mb="xs">
            {texts.run.inputs}
          </Title>
          <Code block>{revealed(JSON.stringify(run.inputs, null, 2))}</Code>
        </section>
      </Stack>
    </ScrollArea>
  );
}
