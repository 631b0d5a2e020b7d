export const inboundEvents = {} as const;
