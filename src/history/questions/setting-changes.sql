-- Who changed which setting, from what to what, and the orders placed until the next change of any setting.
SELECT data ->> '$.at' AS at, data ->> '$.adminId' AS admin, change.key AS setting,
  lag(change.value) OVER (PARTITION BY change.key ORDER BY position) AS before, change.value AS after,
  (SELECT COUNT(*) FROM orders WHERE settingsRevision = events.revision) AS orders
  FROM events, json_each(data, '$.changes') AS change WHERE events.type = 'SettingsChanged' ORDER BY position, change.key
