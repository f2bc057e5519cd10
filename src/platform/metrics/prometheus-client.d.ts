// The index of this package loads clustering, a push gateway and OpenTelemetry: 8 MB that the service does not use.
declare module '@prometheus-io/client/lib/registry.js' {
  import { Registry } from '@prometheus-io/client';
  export = Registry;
}
declare module '@prometheus-io/client/lib/counter.js' {
  import { Counter } from '@prometheus-io/client';
  export = Counter;
}
declare module '@prometheus-io/client/lib/gauge.js' {
  import { Gauge } from '@prometheus-io/client';
  export = Gauge;
}
declare module '@prometheus-io/client/lib/histogram.js' {
  import { Histogram } from '@prometheus-io/client';
  export = Histogram;
}
