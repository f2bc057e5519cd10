{{- define "scenarium.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "scenarium.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains (include "scenarium.name" .) .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "scenarium.name" .) | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "scenarium.selector" -}}
app.kubernetes.io/name: {{ include "scenarium.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "scenarium.labels" -}}
{{ include "scenarium.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "scenarium.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "scenarium.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "scenarium.secret" -}}
{{- required "existingSecret: name the Secret with DATABASE_URL, ENCRYPTION_KEY, JWT_SECRET and SERVICE_TOKEN" .Values.existingSecret -}}
{{- end -}}

{{/* What the containers of both roles have in common, but for what stands beside it in each of them. */}}
{{- define "scenarium.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ include "scenarium.secret" . }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{- define "scenarium.env" -}}
- name: METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
{{- if .Values.storage.url }}
- name: STORAGE_URL
  value: {{ .Values.storage.url | quote }}
{{- else if not .Values.storage.existingClaim }}
{{- fail "storage: give url or existingClaim; pods need one place for uploaded files" }}
{{- end }}
{{- range $name, $value := .Values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* Both roles answer them beside the API, which may be busy. */}}
{{- define "scenarium.probes" -}}
# Answered from the first second on, while migrations run as well.
startupProbe:
  httpGet:
    path: /healthz
    port: metrics
  periodSeconds: 2
  failureThreshold: 30
livenessProbe:
  httpGet:
    path: /healthz
    port: metrics
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet:
    path: /readyz
    port: metrics
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 1
{{- end -}}

{{- define "scenarium.pod" -}}
serviceAccountName: {{ include "scenarium.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    {{- if .Values.storage.existingClaim }}
    persistentVolumeClaim:
      claimName: {{ .Values.storage.existingClaim }}
    {{- else }}
    emptyDir: {}
    {{- end }}
  - name: tmp
    emptyDir: {}
{{- end -}}
