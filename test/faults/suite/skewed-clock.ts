// Imported before the program (`--import`): shifts the clock of the process by CLOCK_SKEW_MS.
const skewMs = Number(process.env.CLOCK_SKEW_MS);
const RealDate = Date;

class SkewedDate extends RealDate {
  constructor(...values: unknown[]) {
    if (values.length === 0) super(RealDate.now() + skewMs);
    else super(...(values as [number]));
  }

  static override now(): number {
    return RealDate.now() + skewMs;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
