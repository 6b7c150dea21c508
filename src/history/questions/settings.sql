-- The settings at the end of the export.
SELECT setting, value, since FROM (
  SELECT change.key AS setting, change.value AS value, data ->> '$.at' AS since,
    row_number() OVER (PARTITION BY change.key ORDER BY position DESC) AS newest
  FROM events, json_each(data, '$.changes') AS change WHERE events.type = 'SettingsChanged'
) WHERE newest = 1 ORDER BY setting
