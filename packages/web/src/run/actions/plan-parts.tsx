import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { texts } from '../../texts/index.js';

/** Lists the effects of one kind in a plan, or renders nothing if there are none. */
export function PlanPart({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  const id = useId();
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Title order={3} size="h6" id={id}>
        {title}
      </Title>
      <List size="sm">
        {items.slice(0, MAX_SHOWN_ITEMS).map((item, index) => (
          <List.Item key={index}>{item}</List.Item>
        ))}
      </List>
      {items.length > MAX_SHOWN_ITEMS && (
        <Text size="sm" c="dimmed">
          {texts.run.plan.more(items.length - MAX_SHOWN_ITEMS)}
        </Text>
      )}
    </section>
  );
}

const MAX_SHOWN_ITEMS = 50;

/** Shows the notes on a plan that the user should read before confirming. */
export function PlanNotes({ notes }: { readonly notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <Alert color="yellow" title={texts.run.plan.notes}>
      <Stack gap={4}>
        {notes.map((note, index) => (
          <Text key={index} size="sm">
            {note}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
