// dmn-moddle ships no types.
declare module 'dmn-moddle' {
  export class DmnModdle {
    fromXML(xml: string, typeName: string, options: object): Promise<object>;
  }
}
